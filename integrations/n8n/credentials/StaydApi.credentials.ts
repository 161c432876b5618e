import type {
  IAuthenticateGeneric,
  ICredentialTestRequest,
  ICredentialType,
  INodeProperties,
  Icon,
} from 'n8n-workflow';

/** The address of a stayd and a token of its account. */
export class StaydApi implements ICredentialType {
  name = 'staydApi';

  displayName = 'Stayd API';

  icon: Icon = { light: 'file:../nodes/Stayd/stayd.svg', dark: 'file:../nodes/Stayd/stayd.dark.svg' };

  documentationUrl = 'https://stayd.example.com/docs/guides/integrations';

  properties: INodeProperties[] = [
    {
      displayName: 'Base URL',
      name: 'baseUrl',
      type: 'string',
      default: 'http://127.0.0.1:8484',
      required: true,
      description: 'The address of the service, without /v3',
    },
    {
      displayName: 'Access Token',
      name: 'accessToken',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      required: true,
      description: 'A token of the account; the trigger, and all that changes something, need a writable one',
    },
  ];

  authenticate: IAuthenticateGeneric = {
    type: 'generic',
    properties: { headers: { 'Service-Access-Token': '={{$credentials.accessToken}}' } },
  };

  // Failures have HTTP status 200 too, so the test looks into the envelope.
  test: ICredentialTestRequest = {
    request: { baseURL: '={{$credentials.baseUrl.replace(/\\/+$/, "")}}', url: '/v3/accounts/me' },
    rules: [
      {
        type: 'responseSuccessBody',
        properties: { key: 'error_code', value: 401, message: 'The access token is not valid' },
      },
      {
        type: 'responseSuccessBody',
        properties: { key: 'error_code', value: 420, message: 'The account is not active' },
      },
    ],
  };
}
