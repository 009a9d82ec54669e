import { type JournalSource, Renderer } from './renderer.ts'

/** What a journal is shown with at the moment: made anew when keys or their labels have changed, and not before. */
export class RendererCache {
  readonly #sandbox: Pick<JournalSource, 'tables' | 'history'>
  #renderer: Renderer | null = null
  #keys: object | null = null
  #former: object | null = null

  constructor(sandbox: Pick<JournalSource, 'tables' | 'history'>) {
    this.#sandbox = sandbox
  }

  /** To be asked for each time: it knows the keys as they were then. */
  get current(): Renderer {
    const { tables, history } = this.#sandbox
    const isSame = this.#keys === tables.keys.version && this.#former === history.keys.version
    if (this.#renderer && isSame) return this.#renderer
    this.#keys = tables.keys.version
    this.#former = history.keys.version
    this.#renderer = new Renderer(this.#sandbox)
    return this.#renderer
  }
}
