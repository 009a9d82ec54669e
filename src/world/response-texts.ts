/**
 * The texts of rows as responses have them, by what they depend on beside rows. Forks share them, until a list is written
 * whose rows responses embed.
 */
export interface ResponseTexts {
  /** The versions of the lists whose rows are embedded */
  readonly embedded: readonly object[]
  /** By row: a changed row is another object */
  readonly bySettings: Map<string, WeakMap<object, string>>
}

interface Versioned {
  /** A new object after each write */
  readonly version: object
}

/** The tables whose rows responses embed, and the texts that were made with them. */
interface EmbeddedTables {
  readonly organizations: Versioned
  readonly users: Versioned
  readonly dashboard_items: Versioned
  texts: ResponseTexts
}

/** The texts that were made with the current rows. @param settings the values of settings that they depend on */
export function textsOf(tables: EmbeddedTables, settings: string): WeakMap<object, string> {
  const { organizations, users, dashboard_items, texts } = tables
  const embedded = [organizations.version, users.version, dashboard_items.version]
  if (embedded.some((version, index) => version !== texts.embedded[index])) {
    tables.texts = { embedded, bySettings: new Map() }
  }
  const { bySettings } = tables.texts
  const known = bySettings.get(settings) ?? new WeakMap<object, string>()
  bySettings.set(settings, known)
  return known
}
