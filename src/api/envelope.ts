import { errorCodes, SUCCESS } from '../contract/errors.ts';
import { ApiError } from '../kernel/errors.ts';

/** The text of a successful answer. `data` is left out where there is none. */
export function success(requestId: string, data: unknown): string {
  return JSON.stringify({ request_id: requestId, error_code: SUCCESS.code, error_msg: SUCCESS.text, data });
}

/** The text of a failed one; only the public message of the error leaves. */
export function failure(requestId: string, error: ApiError): string {
  const error_msg = error.message || errorCodes[error.code].text;
  return JSON.stringify({ request_id: requestId, error_code: error.code, error_msg });
}
