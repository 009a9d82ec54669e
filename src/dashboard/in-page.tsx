import { type ComponentChild, render } from 'preact'
import { useState } from 'preact/hooks'
import type { Simulator } from '../simulator/simulator.ts'
import base from './base.css' with { type: 'text' }
import { Dashboard } from './dashboard.tsx'
import frame from './frame.css' with { type: 'text' }
import { LocalConnection } from './local-connection.ts'
import panel from './panel.css' with { type: 'text' }
import type { PanelStore } from './panel.ts'
import { type Address, pageAddress } from './route.ts'
import views from './views.css' with { type: 'text' }

/** Shows the dashboard in an element of the page that its simulator runs in. The address of the page is its own. */
export function mountInPage(element: Element, simulator: Simulator): void {
  element.classList.add('dashboard')
  mount(element, dashboardOf(simulator, pageAddress))
}

/** Shows the dashboard in a panel. @returns a function that removes it */
export function showPanel(
  root: ShadowRoot,
  simulator: Simulator,
  store: PanelStore,
  onClose: () => void,
): () => void {
  const element = document.createElement('div')
  root.append(element)
  const dashboard = dashboardOf(simulator, createAddress(element, store))
  const unmount = mount(element, <Panel {...{ store, onClose, dashboard }} />)
  return () => {
    unmount()
    element.remove()
  }
}

function dashboardOf(simulator: Simulator, address: Address) {
  const connection = new LocalConnection(simulator, location.origin)
  return <Dashboard {...{ connection, address }} isInPage />
}

function mount(element: Element, content: ComponentChild) {
  const style = new CSSStyleSheet()
  // A page can set the size of a rem.
  const toPixels = (css: string) => css.replace(/([\d.]+)rem\b/g, (_, rem) => `${rem * 16}px`)
  style.replaceSync([base, frame, views, panel].map(toPixels).join(''))
  const root = element.getRootNode() as Document | ShadowRoot
  const sheets = root.adoptedStyleSheets
  root.adoptedStyleSheets = [...sheets, style]
  render(content, element)
  return () => {
    render(null, element)
    root.adoptedStyleSheets = sheets
  }
}

/** Keeps what the dashboard shows out of the address of the page, which follows none of its links. */
function createAddress(element: Element, { read, save }: PanelStore): Address {
  const listeners = new Set<() => void>()
  const go = (hash: string, replaces = false) => {
    save({ hash })
    if (!replaces) for (const listener of listeners) listener()
  }
  element.addEventListener('click', (event) => {
    const link = (event.target as Element).closest('a[href^="#/"]')
    if (!link) return
    event.preventDefault()
    go(link.getAttribute('href') as string)
  })
  return {
    read: () => read().hash,
    go,
    follow(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

interface PanelProps {
  readonly store: PanelStore
  readonly onClose: () => void
  readonly dashboard: ComponentChild
}

function Panel({ store, onClose, dashboard }: PanelProps) {
  const [height, setHeight] = useState(store.read().height)
  const resize = (next: number) => {
    setHeight(next)
    store.save({ height: next })
  }
  return (
    <section class="panel" aria-label="Understudy">
      <div class="edge">
        <input
          type="range"
          aria-label="Height"
          min={20}
          max={100}
          step={5}
          value={height}
          onInput={({ currentTarget }) => resize(currentTarget.valueAsNumber)}
        />
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
      <div class="dashboard content" style={{ '--height': `calc(${height}vh - 1.75rem)` }}>
        {dashboard}
      </div>
    </section>
  )
}
