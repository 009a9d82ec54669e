import type { Simulator } from '../../../simulator.ts'
import { UsageError } from '../../../utils/usage-error.ts'
import type { OpenWorld } from './page-source.ts'

/**
 * Shows the button that opens the panel. Its files and the simulator load when it is opened. Everything is in a shadow
 * root beside the body, so that the page and the panel have neither styles nor elements in common.
 *
 * @param isOpen whether the panel is open at the start
 * @returns a function that removes it
 */
export function showPanel(
  openSimulator: () => Promise<Simulator>,
  openWorld: OpenWorld,
  isOpen: boolean,
  onError: (error: unknown) => void,
): () => void {
  const host = document.createElement('understudy-panel')
  const root = host.attachShadow({ mode: 'open' })
  const styles = new CSSStyleSheet()
  styles.replaceSync(buttonStyles)
  root.adoptedStyleSheets = [styles]
  const section = document.createElement('section')
  section.setAttribute('aria-label', 'Understudy')
  const button = document.createElement('button')
  button.className = 'opener'
  button.title = 'Open the panel of Understudy'
  button.setAttribute('aria-label', button.title)
  button.append(drawMark())
  section.append(button)
  root.append(section)
  for (const type of privateEvents) host.addEventListener(type, (event) => event.stopPropagation())
  const memory = { hash: '' }
  let unmount: (() => void) | null = null
  let isRemoved = false
  const close = (): void => {
    unmount?.()
    unmount = null
    button.hidden = false
    button.focus()
  }
  const open = async (): Promise<void> => {
    button.disabled = true
    try {
      const [{ mountPanel }, { createPageSource }, simulator] = await Promise.all([
        import('../../../server/dashboard/panel.js'),
        import('../page-simulator.ts'),
        openSimulator(),
      ])
      if (isRemoved) return
      unmount = mountPanel(section, createPageSource(simulator, openWorld), memory, close)
      button.hidden = true
    } catch (error) {
      const { message } = error as Error
      onError(new UsageError(`Failed to open the panel: ${message}. Reload the page.`))
    } finally {
      button.disabled = false
    }
  }
  button.addEventListener('click', open)
  document.documentElement.append(host)
  if (isOpen) void open()
  return () => {
    isRemoved = true
    unmount?.()
    host.remove()
  }
}

/** The page gets none of these from the panel: its shortcuts and its menus must not react to them. */
const privateEvents = [
  ...['keydown', 'keyup', 'keypress', 'input', 'beforeinput', 'paste', 'copy', 'cut'],
  ...['click', 'dblclick', 'auxclick', 'contextmenu', 'mousedown', 'mouseup'],
  ...['pointerdown', 'pointerup', 'touchstart', 'touchend', 'wheel', 'focusin', 'focusout'],
]

/** A U with its double behind it, as in the dashboard. */
function drawMark(): SVGElement {
  const draw = (tag: string, attributes: Record<string, string>): SVGElement => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', tag) as SVGElement
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
    return element
  }
  const mark = draw('svg', { viewBox: '0 0 32 32', 'aria-hidden': 'true' })
  const line = { fill: 'none', 'stroke-width': '3.2', 'stroke-linecap': 'round' }
  mark.append(
    draw('rect', { width: '32', height: '32', rx: '8', fill: '#0f8371' }),
    draw('path', { ...line, d: 'M13.5 7.5v8.5a5 5 0 0 0 10 0v-8.5', stroke: '#7fe3d0' }),
    draw('path', { ...line, d: 'M8.5 12v8a5 5 0 0 0 10 0v-8', stroke: '#ffffff' }),
  )
  return mark
}

/** The styles of the page reach the host only. Its own are stronger there. */
const buttonStyles = `
:host { all: initial !important }
.opener {
  position: fixed; z-index: 2147483647; right: 12px; bottom: 12px;
  width: 36px; height: 36px; margin: 0; padding: 0; border: 0; border-radius: 9px;
  background: none; box-shadow: 0 1px 5px rgb(0 0 0 / 35%); cursor: pointer;
}
.opener[hidden] { display: none }
.opener:focus-visible { outline: 3px solid #0f8371; outline-offset: 2px }
.opener:disabled { cursor: progress }
.opener svg { display: block }
@media print { section { display: none } }
`
