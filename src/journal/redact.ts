import { Hider } from '../secrets/hider.ts'
import { KnownSecrets } from '../secrets/known.ts'
import { isKeyName, keyPattern } from '../secrets/places.ts'
import { masked } from './masked.ts'

/** Hides keys in what the journal shows: known ones wherever they stand, unknown ones where keys stand. */
export class Redactor extends Hider {
  /** @param keys the values of the keys that are known */
  constructor(keys: Iterable<string>) {
    const known = new KnownSecrets(keys)
    super({
      named: (name) => (isKeyName(name) ? masked : null),
      within: (text) => known.hide(text, masked).replace(keyPattern, masked),
      header: masked,
      number: '…',
    })
  }

  /** What stands somewhere in a body, without keys; at no path at all, the body itself. */
  part(value: unknown, path: readonly (string | number)[]): unknown {
    return this.json(value, path.some((step) => isKeyName(String(step))) ? masked : null)
  }

  /** Headers by their names. */
  headers(headers: Iterable<readonly [string, string]>): Record<string, string> {
    return Object.fromEntries([...headers].map(([name, value]) => [name, this.header(name, value)]))
  }
}
