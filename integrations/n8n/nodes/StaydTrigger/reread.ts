import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import { staydRequest, type StaydRequest } from '../Stayd/request';

/** An event as it came; its fields depend on its kind. */
export type StaydEvent = IDataObject & { event: string; event_id: string };

/** The read that shows what an event is about; undefined: nothing is left to read. */
function readFor(event: StaydEvent): StaydRequest | undefined {
  const get = (path: string, qs: IDataObject = {}): StaydRequest => ({ method: 'GET', path, qs });
  switch (event.event) {
    case 'reservation_created':
    case 'reservation_updated':
      return get('/reservations', { reservation_code: event.reservation_code });
    case 'review_created':
    case 'review_updated':
      return get('/reviews', { reservation_code: event.reservation_code });
    case 'message_created':
      return get(`/conversations/${encodeURIComponent(String(event.conversation_id))}`);
    case 'transaction_created':
    case 'transaction_updated':
      return get('/transactions', { id: event.transaction_id });
    case 'listing_calendar_updated': {
      const { channel_type, listing_id, start_date, end_date } = event;
      return { method: 'POST', path: '/listings/calendar', body: { channel_type, listing_id, start_date, end_date } };
    }
    default:
      return undefined;
  }
}

/** Reads again what an event names. A read that fails is told beside the event, which is not lost by it. */
export async function reread(functions: IWebhookFunctions, event: StaydEvent): Promise<IDataObject> {
  const request = readFor(event);
  if (!request) return { resource: null };
  try {
    // The sender waits for three seconds only.
    return { resource: await staydRequest(functions, { ...request, isPatient: false }) };
  } catch (error) {
    return { resource: null, read_error: (error as Error).message };
  }
}
