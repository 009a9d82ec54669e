/**
 * The texts of rows as responses have them, by what they depend on beside rows. Forks share them, until a list is written
 * whose rows responses embed.
 */
export interface ResponseTexts {
  /** The versions of the lists whose rows are embedded */
  readonly embedded: readonly object[]
  /** By row: a changed row is another object */
  readonly bySettings: Map<string, WeakMap<object, string>>
  /** By the version of their list: the bodies of pages by all else that they depend on */
  readonly pages: WeakMap<object, Map<string, string>>
}

/** More pages of one version of a list are not kept. */
const maxPages = 20

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
  const { bySettings } = currentTexts(tables)
  const known = bySettings.get(settings) ?? new WeakMap<object, string>()
  bySettings.set(settings, known)
  return known
}

/** The pages of a list that were sent since one of its rows, or of those that they embed, was last written. */
export function pagesOf(tables: EmbeddedTables, { version }: Versioned): Map<string, string> {
  const { pages } = currentTexts(tables)
  const known = pages.get(version) ?? new Map<string, string>()
  if (known.size >= maxPages) known.clear()
  pages.set(version, known)
  return known
}

function currentTexts(tables: EmbeddedTables): ResponseTexts {
  const { organizations, users, dashboard_items, texts } = tables
  const embedded = [organizations.version, users.version, dashboard_items.version]
  if (embedded.some((version, index) => version !== texts.embedded[index])) {
    tables.texts = emptyTexts(embedded)
  }
  return tables.texts
}

export function emptyTexts(embedded: readonly object[] = []): ResponseTexts {
  return { embedded, bySettings: new Map(), pages: new WeakMap() }
}
