import { type ComponentChild, h, render } from 'preact'
import { expect, onTestFinished, vi } from 'vitest'
import { LocalConnection } from '../../../src/control/local-connection.ts'
import { Dashboard } from '../../../src/dashboard/dashboard.tsx'
import type { SimulatorOptions } from '../../../src/simulator/options.ts'
import { createSimulator, type Simulator } from '../../../src/simulator/simulator.ts'
import { noon } from '../api/paths.ts'

/** What preact and the dashboard need of an element, without a browser. */
class PageElement extends EventTarget {
  readonly nodeType: number
  readonly namespaceURI = 'http://www.w3.org/1999/xhtml'
  readonly style = { setProperty() {} }
  readonly localName: string
  readonly attributes: Record<string, unknown> = {}
  parentNode: PageElement | null = null
  childNodes: PageElement[] = []
  data = ''
  value = ''
  checked = false
  indeterminate = false
  download = ''

  constructor(localName: string, nodeType = 1) {
    super()
    this.localName = localName
    this.nodeType = nodeType
  }

  get firstChild(): PageElement | null {
    return this.childNodes[0] ?? null
  }

  get nextSibling(): PageElement | null {
    const siblings = this.parentNode?.childNodes ?? []
    return siblings[siblings.indexOf(this) + 1] ?? null
  }

  get textContent(): string {
    return this.data + this.childNodes.map(({ textContent }) => textContent).join('')
  }

  insertBefore(child: PageElement, before: PageElement | null): void {
    child.remove()
    const at = before ? this.childNodes.indexOf(before) : this.childNodes.length
    this.childNodes.splice(at, 0, child)
    child.parentNode = this
  }

  remove(): void {
    this.parentNode?.childNodes.splice(this.parentNode.childNodes.indexOf(this), 1)
    this.parentNode = null
  }

  setAttribute(name: string, value: unknown): void {
    this.attributes[name] = value
  }

  removeAttribute(name: string): void {
    delete this.attributes[name]
  }

  focus(): void {}

  scrollIntoView(): void {}

  click(): void {}

  querySelectorAll(name: string): PageElement[] {
    const all = this.childNodes.flatMap((child) => [child, ...child.querySelectorAll('*')])
    return all.filter(({ localName }) => name === '*' || localName === name)
  }

  querySelector(name: string): PageElement | undefined {
    return this.querySelectorAll(name)[0]
  }
}

/** The dashboard of a simulator in this process, and what a user does there. It ends with the test. */
export async function openDashboard(
  hash = '',
  arrange: (simulator: Simulator) => unknown = () => {},
  options: SimulatorOptions = {},
) {
  const simulator = createSimulator({ clock: noon, ...options })
  await arrange(simulator)
  const copied: string[] = []
  const downloaded: Blob[] = []
  const create = (_: string, name: string) => new PageElement(name)
  const createTextNode = (data: string) => Object.assign(new PageElement('', 3), { data })
  const document = { hidden: true, title: '', createElementNS: create, createTextNode }
  const createElement = (name: string) => create('', name)
  vi.stubGlobal('document', { ...document, createElement })
  vi.stubGlobal('requestAnimationFrame', setImmediate)
  vi.stubGlobal('cancelAnimationFrame', clearImmediate)
  vi.stubGlobal('confirm', () => true)
  vi.stubGlobal('navigator', {
    clipboard: { writeText: async (text: string) => copied.push(text) },
  })
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    downloaded.push(blob as Blob)
    return 'blob:1'
  })
  const address = {
    listeners: new Set<() => void>(),
    read: () => hash,
    go(next: string, replaces = false) {
      hash = next
      if (!replaces) for (const listener of address.listeners) listener()
    },
    follow(listener: () => void) {
      address.listeners.add(listener)
      return () => void address.listeners.delete(listener)
    },
  }
  const root = new PageElement('main')
  const connection = new LocalConnection(simulator, 'http://shop.test')
  const show = (content: ComponentChild) => render(content, root as unknown as Element)
  show(h(Dashboard, { connection, address, isInPage: false }))
  onTestFinished(() => {
    show(null)
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
  })
  const nameOf = ({ attributes, textContent }: PageElement) =>
    String(attributes['aria-label'] ?? textContent).trim()
  /** Waits for an element by its name, of which a part is enough. */
  const find = (tag: string, name: string): Promise<PageElement> =>
    vi.waitUntil(() => root.querySelectorAll(tag).find((part) => nameOf(part).includes(name)))
  const fire = (element: PageElement | undefined, type: string) =>
    element?.dispatchEvent(Object.assign(new Event(type, { cancelable: true })))
  return {
    simulator,
    copied,
    downloaded,
    find,
    hash: () => hash,
    go: address.go,
    texts: (tag: string) => root.querySelectorAll(tag).map(({ textContent }) => textContent),
    /** Waits until the page has a text. */
    until: (text: string) => expect.poll(() => root.textContent).toContain(text),
    press: async (name: string) => fire(await find('button', name), 'click'),
    submit: async (name: string) => {
      const button = await find('button', name)
      let form: PageElement | null = button
      while (form && form.localName !== 'form') form = form.parentNode
      fire(form ?? undefined, 'submit')
    },
    follow: async (name: string) =>
      address.go(String((await find('a', name)).attributes.href ?? '')),
    /** Enters a value in the field of a label: a text, an option of a menu, or the state of a box. */
    enter: async (label: string, value: string | boolean) => {
      const named = await find('*', label)
      const field = ['input', 'textarea', 'select'].includes(named.localName)
        ? named
        : ((await find('label', label)).querySelectorAll('*') ?? []).find(({ localName }) =>
            ['input', 'textarea', 'select'].includes(localName),
          )
      Object.assign(field ?? {}, typeof value === 'string' ? { value } : { checked: value })
      fire(field, field?.localName === 'select' || typeof value !== 'string' ? 'change' : 'input')
    },
  }
}
