/**
 * The texts of rows as responses have them, by what they depend on beside rows. Forks share them, until a list is written
 * whose rows responses embed.
 */
export interface ResponseTexts {
  /** The versions of the lists whose rows are embedded */
  readonly embedded: readonly object[]
  /** By row: a changed row is another object */
  readonly byVersioning: Map<string, WeakMap<object, string>>
  readonly pages: KeptPages
}

interface Versioned {
  /** A new object after each write */
  readonly version: object
}

/** The tables whose rows responses embed. */
interface EmbeddedTables {
  readonly organizations: Versioned
  readonly users: Versioned
  readonly dashboard_items: Versioned
}

/** Tables with the texts that were made with them. */
interface TablesWithTexts extends EmbeddedTables {
  texts: ResponseTexts
}

/** The texts that were made with the current rows. @param versioning the value of the setting, if they depend on it */
export function textsOf(tables: TablesWithTexts, versioning: string): WeakMap<object, string> {
  const { byVersioning } = currentTexts(tables)
  const known = byVersioning.get(versioning) ?? new WeakMap<object, string>()
  byVersioning.set(versioning, known)
  return known
}

/** The pages of a list that were made since one of its rows, or of those that they embed, was last written. */
export function pagesOf(tables: TablesWithTexts, { version }: Versioned): KeptPages {
  const { pages } = currentTexts(tables)
  pages.keepOnly(version)
  return pages
}

function currentTexts(tables: TablesWithTexts): ResponseTexts {
  const embedded = versionsOf(tables)
  if (embedded.some((version, index) => version !== tables.texts.embedded[index])) {
    tables.texts = createTexts(tables)
  }
  return tables.texts
}

export function createTexts(tables: EmbeddedTables): ResponseTexts {
  return { embedded: versionsOf(tables), byVersioning: new Map(), pages: new KeptPages() }
}

function versionsOf({ organizations, users, dashboard_items }: EmbeddedTables): object[] {
  return [organizations.version, users.version, dashboard_items.version]
}

/** More pages are not kept, and not more characters. */
const limits = { pages: 20, characters: 4 * 1024 * 1024 }

/** The latest pages of one version of a list: to join a thousand rows takes ten times as long as to find them. */
export class KeptPages {
  #version: object | null = null
  #texts = new Map<string, string>()
  #characters = 0

  /** Forgets the pages of other versions. */
  keepOnly(version: object): void {
    if (version !== this.#version) this.#clear()
    this.#version = version
  }

  /** @param key all that a page depends on beside the rows */
  get(key: string): string | undefined {
    return this.#texts.get(key)
  }

  set(key: string, text: string): void {
    if (text.length > limits.characters) return
    const characters = this.#characters + text.length
    if (this.#texts.size >= limits.pages || characters > limits.characters) this.#clear()
    this.#texts.set(key, text)
    this.#characters += text.length
  }

  #clear(): void {
    this.#texts = new Map()
    this.#characters = 0
  }
}
