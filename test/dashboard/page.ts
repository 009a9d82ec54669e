import { type HTMLElement, Window } from 'happy-dom'
import { type ComponentChild, h, render } from 'preact'
import { expect, onTestFinished, vi } from 'vitest'
import { Connection } from '../../src/admin/connection.ts'
import { Dashboard } from '../../src/dashboard/dashboard.tsx'
import { LocalConnection } from '../../src/dashboard/local-connection.ts'
import type { SimulatorOptions } from '../../src/simulator/options.ts'
import { createSimulator, type Simulator } from '../../src/simulator/simulator.ts'
import { noon } from '../support/api/paths.ts'

interface OpenOptions extends SimulatorOptions {
  /** Prepares the simulator before the page is opened */
  readonly arrange?: (simulator: Simulator) => unknown
  readonly isInPage?: boolean
  /** Shows the dashboard of this server instead */
  readonly origin?: string
}

/** The dashboard of a simulator in this process, and what a user does there. It ends with the test. */
export async function openDashboard(hash = '', options: OpenOptions = {}) {
  const { arrange, isInPage = false, origin, ...rest } = options
  const simulator = createSimulator({ clock: noon, ...rest })
  await arrange?.(simulator)
  const copied: string[] = []
  const downloaded: Blob[] = []
  const window = new Window()
  const { document } = window
  Object.defineProperty(document, 'hidden', { value: true })
  vi.stubGlobal('document', document)
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
  const root = document.body
  const local = new LocalConnection(simulator, 'http://shop.test')
  const connection = origin === undefined ? local : new Connection(origin, undefined)
  const show = (content: ComponentChild) => render(content, root as unknown as Element)
  show(h(Dashboard, { connection, address, isInPage }))
  onTestFinished(async () => {
    show(null)
    vi.unstubAllGlobals()
    await window.happyDOM.close()
  })
  const all = (selector: string) => [...root.querySelectorAll(selector)] as HTMLElement[]
  const nameOf = (element: HTMLElement) =>
    (element.getAttribute('aria-label') ?? element.textContent).trim()
  /** Waits for an element by its name, of which a part is enough. */
  const find = (selector: string, name: string): Promise<HTMLElement> =>
    vi.waitUntil(() => all(selector).find((element) => nameOf(element).includes(name)), 120_000)
  const press = async (name: string) => (await find('button', name)).click()
  return {
    simulator,
    copied,
    downloaded,
    find,
    hash: () => hash,
    go: address.go,
    press,
    texts: (selector: string) => all(selector).map(({ textContent }) => textContent),
    /** Waits until the page has a text. */
    until: (text: string) => expect.poll(() => root.textContent).toContain(text),
    follow: async (name: string) => address.go((await find('a', name)).getAttribute('href') ?? ''),
    /** Enters a value in the field of a label: a text, an option of a menu, or the state of a box. */
    enter: async (label: string, value: string | boolean) => {
      const named = await find('label, [aria-label]', label)
      const fields = 'input, textarea, select'
      const field = named.matches(fields) ? named : named.querySelector(fields)
      Object.assign(field as object, typeof value === 'string' ? { value } : { checked: value })
      const isChosen = field?.localName === 'select' || typeof value !== 'string'
      field?.dispatchEvent(new window.Event(isChosen ? 'change' : 'input', { bubbles: true }))
    },
  }
}
