/** What differs between deployments of the same v3; data from `config/profiles/`, never code. */
export interface Profile {
  /** Request header that carries the access token. */
  readonly tokenHeader: string;
  /** Header of a webhook delivery that carries the registration's secret as is. */
  readonly webhookTokenHeader: string;
  /** Path segments that this deployment spells differently, by the contract's spelling. */
  readonly pathSegments: Readonly<Record<string, string>>;
}

export const defaultProfile: Profile = {
  tokenHeader: 'service-access-token',
  webhookTokenHeader: 'service-webhook-secret-token',
  pathSegments: {},
};
