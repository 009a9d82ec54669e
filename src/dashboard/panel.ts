import { mistakesOf } from '../mistakes/follow-mistakes.ts'
import type { Simulator } from '../simulator/simulator.ts'
import { formatCount } from '../utils/text.ts'
import { repeat } from '../utils/wait.ts'
import { createMark } from './mark.ts'
import { isFailed, listProblems, maxEntries } from './problem-list.ts'
import { parseHash } from './route.ts'

export interface Panel {
  /** Shows the dashboard, which loads now, and gives it the focus. */
  open(): Promise<void>
  /** Removes the panel from the page. The next one of this tab shows the same. */
  remove(): void
}

/** Rules of the page for all elements reach the host. They win unless these are important. */
const style = `
:host { all: initial !important; display: contents !important; direction: ltr !important }
.opener { position: fixed; z-index: 2147483647; right: 12px; bottom: 12px; padding: 0; border: 0; border-radius: 10px;
  background: none; cursor: pointer }
.opener[hidden], .opener span:empty { display: none }
.opener:focus-visible { outline: 2px solid #5fd0bb; outline-offset: 2px }
.opener svg { display: block }
.opener span { position: absolute; top: -6px; right: -6px; padding: 0 6px; border-radius: 9px;
  background: #a8281c; color: #fff; font: bold 12px/18px system-ui }
@media print { :host { display: none !important } }
`

/** The page does not get these events: its shortcuts would run while the user types, and its menus would close. */
const keptEvents = ['keydown', 'keyup', 'keypress', 'click', 'mousedown', 'pointerdown', 'focusin']

/**
 * Adds a button to the corner of a page, with the number of problems. It opens the dashboard of the simulator, of which
 * nothing else loads before.
 *
 * @param key that of the storage item
 */
export function addPanel(simulator: Simulator, key: string): Panel {
  const store = openStore(key)
  const host = document.createElement('understudy-panel')
  const root = host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(style)
  root.adoptedStyleSheets = [sheet]
  for (const event of keptEvents) root.addEventListener(event, (kept) => kept.stopPropagation())
  const button = document.createElement('button')
  button.className = 'opener'
  button.setAttribute('aria-label', 'Open Understudy')
  button.append(createMark(40))
  root.append(button)
  const endCount = showCount(simulator, store, button)

  let shown: Promise<() => void> | null = null
  const hide = async () => {
    const showing = shown
    shown = null
    const remove = await showing
    remove?.()
  }
  const close = async () => {
    store.save({ isOpen: false })
    await hide()
    button.hidden = false
    button.focus()
  }
  const show = async () => {
    store.save({ isOpen: true })
    button.hidden = true
    shown ??= import('./in-page.tsx').then(({ showPanel }) =>
      showPanel(root, simulator, store, close),
    )
    await shown
  }
  const open = async () => {
    await show()
    root.querySelector('h1')?.focus()
  }
  button.addEventListener('click', open)
  if (store.read().isOpen) void show()
  document.documentElement.append(host)
  return {
    open,
    remove() {
      endCount()
      host.remove()
      void hide()
    },
  }
}

/** Shows on the button how many problems the dashboard would list of the selected world. @returns a function that ends it */
function showCount(simulator: Simulator, { read }: PanelStore, button: Element) {
  const badge = document.createElement('span')
  button.append(badge)
  let counted = ''
  return repeat(1_000, () => {
    const { sandbox } = parseHash(read().hash)
    const latest = simulator.worlds.map(([{ state }]) => {
      const { records, waiting, askedFor } = state.journal
      return [records.at(-1)?.id, waiting.size, askedFor.size]
    })
    // A search for mistakes goes through the whole journal.
    if (read().isOpen || counted === `${sandbox} ${latest}`) return
    counted = `${sandbox} ${latest}`
    const world = simulator.sandboxes.get(sandbox ?? '') ?? simulator
    const entries = world.journal.latest(maxEntries).filter(isFailed)
    const failures = entries.map((entry) => entry.toJSON(false))
    const { length } = listProblems(world.faults.list(), mistakesOf(world), failures)
    badge.textContent = length === 0 ? '' : String(length)
    button.setAttribute('aria-label', `Open Understudy, ${formatCount(length, 'problem')}`)
  })
}

interface PanelState {
  readonly isOpen: boolean
  /** What the dashboard shows */
  readonly hash: string
  /** In percent of the window */
  readonly height: number
}

export interface PanelStore {
  readonly read: () => PanelState
  readonly save: (changes: Partial<PanelState>) => void
}

/** Without a storage, each page starts with a closed panel. */
function openStore(key: string): PanelStore {
  let state: PanelState = { isOpen: false, hash: '', height: 50 }
  try {
    state = { ...state, ...JSON.parse(sessionStorage.getItem(key) ?? '{}') }
  } catch {
    // The storage is denied, or its item is not JSON.
  }
  return {
    read: () => state,
    save(changes) {
      state = { ...state, ...changes }
      try {
        sessionStorage.setItem(key, JSON.stringify(state))
      } catch {
        // The storage is denied, or full.
      }
    },
  }
}
