import { isDeepStrictEqual } from 'node:util';
import { type Config, configSchema } from '../../config.ts';
import { editedYaml, setInYaml } from '../../config/editedYaml.ts';
import type { MailServerDraft, MailServerShown } from '../../console/setup/services.ts';
import { ApiError, UsageError } from '../../kernel/errors.ts';
import { sameSecret } from '../../kernel/signature.ts';
import { tryLetterServer } from '../../outbound/sendMail.ts';
import type { OwnSettings } from '../ownSettings.ts';
import { saveSettings } from '../saveSettings.ts';

const PLACE = ['mail', 'smtp'] as const;
/** What a password opens. */
const ACCESS = ['host', 'port', 'user'] as const;

/** Returns the server that sends mail for the installation, without its password; null: none is set. */
export function shownMailServer({ mail: { smtp } }: Config): MailServerShown | null {
  const { host, port, security, user, from } = smtp;
  return host === null || from === null ? null : { host, port, security, user, from };
}

/**
 * Signs in at a server for mail, and writes it into the settings file of the user. An empty password leaves the one that
 * is stored where it stands, as long as server, port and user stay the same.
 * @throws ApiError 422 with the wrong field, or with the words of the server; nothing is written then
 * @throws UsageError if the file cannot be written, or another setting takes precedence over it
 */
export async function saveMailServer(config: Config, own: OwnSettings, draft: MailServerDraft): Promise<void> {
  const { password: stored, ...before } = config.mail.smtp;
  const isKept = draft.password === '' && ACCESS.every((name) => draft[name] === before[name]);
  const smtp = soundServer({ ...draft, password: isKept ? stored : draft.password === '' ? null : draft.password });
  // A page names it, so it is judged as every address of users is; `outbound.allow` permits one of a private network.
  const problem = await tryLetterServer({ ...smtp, judgedBy: { allow: config.outbound.allow } });
  if (problem !== undefined) throw new ApiError(422, `host: ${problem}`, { field: 'host' });
  const { ownFile: file } = own;
  saveSettings({
    file,
    edit(text) {
      const document = editedYaml(text, file);
      // One that is kept may stand in the environment, where it belongs.
      for (const [name, value] of Object.entries(smtp))
        if (name !== 'password' || !isKept) setInYaml(document, [...PLACE, name], value);
      return String(document);
    },
    loadConfig: () => own.loadConfig(),
    check({ mail }) {
      const { password, ...loaded } = mail.smtp;
      const { password: wanted, ...rest } = smtp;
      if (isDeepStrictEqual({ ...loaded }, { ...rest }) && sameSecret(password ?? '', wanted ?? '')) return;
      throw new UsageError(
        `mail.smtp is said elsewhere, too, and that goes before ${file}`,
        'look at STAYD_CONFIG and at variables that begin with STAYD_MAIL_SMTP in the environment',
      );
    },
  });
}

/** @throws ApiError 422 with the first wrong field */
function soundServer(server: MailServerShown & { password: string | null }) {
  const { error } = configSchema.shape.mail.shape.smtp.safeParse(server);
  const [issue] = error?.issues ?? [];
  if (issue) {
    const field = issue.path.map(String).join('.');
    throw new ApiError(422, `${field}: ${issue.message}`, { field });
  }
  if (server.user !== null && server.password === null)
    throw new ApiError(422, 'password: is missing for this user', { field: 'password' });
  return server;
}
