import type { Config } from '../../config.ts';
import { bookSchema } from '../../config/exports.ts';
import { type PlacedSetting, withPlaces } from '../../config/withPlaces.ts';
import type { BookSettings } from '../../exports/journal/settings.ts';
import type { PlaceOrder } from '../../exports/ports.ts';
import { ApiError, UsageError } from '../../kernel/errors.ts';
import type { OwnSettings } from '../ownSettings.ts';
import { saveSettings } from '../saveSettings.ts';

type Places = Omit<PlaceOrder, 'connection'>;

/** The settings of the books in use, which can change while the service runs. */
export class BookSettingsInUse {
  readonly #usual: BookSettings = bookSchema.parse({});
  readonly #own: OwnSettings | undefined;
  #books: Config['exports']['books'];

  /** @param own left out: this process takes new settings only at a restart */
  constructor(config: Config, own: OwnSettings | undefined) {
    this.#books = config.exports.books;
    this.#own = own;
  }

  of(connection: string): BookSettings {
    return this.#books[connection] ?? this.#usual;
  }

  /**
   * Writes places in the books into the settings file of the user, and uses them from now on.
   * @returns the values before and after, by the path of each setting
   * @throws ApiError 422 with the field of a value that the books do not know
   */
  place({ connection, ...places }: PlaceOrder): object {
    const own = this.#own;
    if (!own) throw new ApiError(501, 'This service takes new settings only at a restart.');
    const settings = settingsOf(places);
    if (settings.length === 0) throw new ApiError(422, 'items: nothing is chosen', { field: 'items' });
    requireKnown(places);
    const before = valuesOf(this.of(connection), settings);
    const { ownFile: file } = own;
    const within = ['exports', 'books', connection];
    const config = saveSettings({
      file,
      edit: (text) =>
        withPlaces(
          text,
          file,
          settings.map(([path, value]) => [[...within, ...path], value]),
        ),
      loadConfig: () => own.loadConfig(),
      check(loaded) {
        const after = valuesOf(loaded.exports.books[connection], settings);
        const missed = settings.find(([path, value]) => after[path.join('.')] !== value);
        if (!missed) return;
        const name = [...within, ...missed[0]].join('.');
        throw new UsageError(`${name} is said elsewhere, too, and that goes before ${file}`);
      },
    });
    this.#books = config.exports.books;
    return { connection, before, after: valuesOf(this.of(connection), settings) };
  }
}

/** @throws ApiError 422 with the field of a value that the books do not know */
function requireKnown({ items, methods, deposits }: Places): void {
  const channels = Object.fromEntries(Object.entries(deposits).map(([channel, kind]) => [channel, { deposits: kind }]));
  const { error } = bookSchema.safeParse({ items, methods, channels });
  const [issue] = error?.issues ?? [];
  if (!issue) return;
  const field = issue.path.map(String).join('.');
  throw new ApiError(422, `${field}: ${issue.message}`, { field });
}

function settingsOf({ items, methods, deposits }: Places): PlacedSetting[] {
  const placed = (part: string, of: PlaceOrder['items']) =>
    Object.entries(of).flatMap(([direction, values]) =>
      Object.entries(values).map(([id, value]): PlacedSetting => [[part, direction, id], value]),
    );
  return [
    ...placed('items', items),
    ...placed('methods', methods),
    ...Object.entries(deposits).map(([channel, kind]): PlacedSetting => [['channels', channel, 'deposits'], kind]),
  ];
}

/** Returns the present values of these settings, null for one that is not set. */
function valuesOf(book: BookSettings | undefined, settings: readonly PlacedSetting[]): Record<string, string | null> {
  return Object.fromEntries(settings.map(([path]) => [path.join('.'), book ? valueOf(book, path) : null]));
}

function valueOf({ items, methods, channels }: BookSettings, [part, name = '', id = '']: readonly string[]) {
  if (part === 'channels') return channels[name]?.deposits ?? null;
  const direction = name === 'income' ? 'income' : 'expense';
  if (part === 'items') return items[direction][id]?.class ?? null;
  return methods[direction][id]?.account ?? null;
}
