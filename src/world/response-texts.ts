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

/** What a page of a list shows. Rows are never changed in place, so that to keep them costs next to nothing. */
export interface ShownPage {
  readonly rows: readonly { readonly id: number }[]
  readonly next: string | null
  readonly previous: string | null
  /** The id of the row before the first one. Only if there is one */
  readonly before: number | undefined
}

/** A page as JSON text. */
export interface KeptPage {
  readonly text: string
  /** Only of rows with an id */
  readonly page?: ShownPage
}

/** The latest pages of one version of a list: to join a thousand rows takes ten times as long as to find them. */
export class KeptPages {
  #version: object | null = null
  #pages = new Map<string, KeptPage>()
  #characters = 0

  /** Forgets the pages of other versions. */
  keepOnly(version: object): void {
    if (version !== this.#version) this.#clear()
    this.#version = version
  }

  /** @param key all that a page depends on beside the rows */
  get(key: string): KeptPage | undefined {
    return this.#pages.get(key)
  }

  set(key: string, page: KeptPage): void {
    const { length } = page.text
    if (length > limits.characters) return
    const characters = this.#characters + length
    if (this.#pages.size >= limits.pages || characters > limits.characters) this.#clear()
    this.#pages.set(key, page)
    this.#characters += length
  }

  #clear(): void {
    this.#pages = new Map()
    this.#characters = 0
  }
}
