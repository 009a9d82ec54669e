import { render } from 'preact'
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import {
  type Dashboard,
  DashboardContext,
  formatHash,
  linksOf,
  parseHash,
  useDashboard,
  useWorldData,
} from '../kit/context.ts'
import { Button } from '../kit/fields.tsx'
import { Mark } from '../kit/inline.tsx'
import { useLiveWorld } from '../kit/live-world.ts'
import { NotificationBar } from '../kit/panels.tsx'
import { Notifications } from '../kit/store.ts'
import type { mountPanel as Mount, PanelMemory, PanelSource } from '../panel.d.ts'
import { NotFound, SandboxSelect, sharedPages, ViewLinks } from '../views.tsx'
import styles from './panel.css'

export const mountPanel: typeof Mount = (parent, source, memory, onClose) => {
  const root = parent.getRootNode() as ShadowRoot
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(styles)
  root.adoptedStyleSheets.push(sheet)
  const panel = document.createElement('div')
  panel.className = 'panel'
  parent.append(panel)
  render(<Panel {...{ source, memory, onClose }} />, panel)
  return () => {
    render(null, panel)
    panel.remove()
    root.adoptedStyleSheets = root.adoptedStyleSheets.filter((each) => each !== sheet)
  }
}

interface PanelProps {
  readonly source: PanelSource
  readonly memory: PanelMemory
  readonly onClose: () => void
}

/** The dashboard in a page. Its views are not in the address of the page, which belongs to the page. */
function Panel({ source, memory, onClose }: PanelProps) {
  const [hash, setHash] = useState(memory.hash)
  const route = useMemo(() => parseHash(hash), [hash])
  const { path, sandbox } = route
  const notifications = useMemo(() => new Notifications(), [])
  const remote = useMemo(
    () => (sandbox === null ? source.main : source.sandbox(sandbox)),
    [source, sandbox],
  )
  const world = useLiveWorld(source.main, remote)
  const dashboard = useMemo((): Dashboard => {
    const show = (next: string) => {
      memory.hash = next
      setHash(next)
    }
    return {
      ...world,
      server: source.main,
      sandbox,
      notifications,
      route,
      replaceParams: (params) => show(formatHash(path, sandbox, params)),
      open(next) {
        show(next)
        notifications.dismiss()
      },
      ...linksOf(route),
    }
  }, [world, route])
  return (
    <DashboardContext.Provider value={dashboard}>
      <Frame onClose={onClose} />
      <NotificationBar />
    </DashboardContext.Provider>
  )
}

/** Elements in which Escape has a meaning of its own. */
const ownEscape = 'dialog, .detail, select, input[type="search"]'

function Frame({ onClose }: Pick<PanelProps, 'onClose'>) {
  const { link, open, route, server, sandbox } = useDashboard()
  const { value: sandboxes = [] } = useWorldData(() => server.sandboxes.list())
  const [name = 'requests', ...rest] = route.path
  const [, , view] = sharedPages.find(([candidate]) => candidate === name) ?? []
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => heading.current?.focus(), [])
  // Not after the paint: a click before would lead the page to the address of the link.
  useLayoutEffect(() => {
    const panel = heading.current?.closest('.panel') as HTMLElement
    const followLink = (event: MouseEvent) => {
      const href = (event.target as Element).closest('a[href^="#/"]')?.getAttribute('href')
      if (typeof href !== 'string') return
      event.preventDefault()
      open(href)
    }
    const closeByEscape = (event: KeyboardEvent) => {
      const isOwn = (event.target as Element).closest(ownEscape) !== null
      if (event.key === 'Escape' && !isOwn) onClose()
    }
    panel.addEventListener('click', followLink)
    panel.addEventListener('keydown', closeByEscape)
    return () => {
      panel.removeEventListener('click', followLink)
      panel.removeEventListener('keydown', closeByEscape)
    }
  }, [open])
  return (
    <>
      <header class="head">
        <h2 ref={heading} tabIndex={-1}>
          <Mark /> <span>Understudy</span>
        </h2>
        <nav aria-label="Understudy">
          <ViewLinks views={sharedPages} open={name} toHref={link} />
        </nav>
        {(sandbox !== null || sandboxes.length > 0) && <SandboxSelect />}
        <Button label="Close" onClick={onClose} />
      </header>
      <div class="view">{view?.(rest) ?? <NotFound />}</div>
    </>
  )
}
