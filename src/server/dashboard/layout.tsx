import {
  ArrowLeftRight,
  BookOpen,
  Clapperboard,
  Globe,
  House,
  type IconNode,
  SlidersHorizontal,
} from 'lucide'
import type { ComponentChild } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { BreakpointsView } from './controls/breakpoints-view.tsx'
import { FaultsView } from './controls/faults-view.tsx'
import { PoliciesView } from './controls/policies-view.tsx'
import { StateCards } from './controls/state-cards.tsx'
import { formatHash, useDashboard, useLiveState } from './kit/context.ts'
import { Button, Select } from './kit/fields.tsx'
import { Icon, Mark } from './kit/inline.tsx'
import { EmptyState, ErrorMessage } from './kit/panels.tsx'
import { useLoad, useStore } from './kit/store.ts'
import { Badges } from './overview/changes.tsx'
import { OverviewPage } from './overview/overview-page.tsx'
import { RequestsPage } from './requests/requests-page.tsx'
import { ScenariosPage } from './scenarios/scenarios-page.tsx'
import { readTheme, saveTheme, type Theme } from './theme.ts'
import { AnnotationsView } from './world/annotations-view.tsx'
import { KeysView } from './world/keys-view.tsx'
import { OtherLists } from './world/other-lists.tsx'
import { PluginsView } from './world/plugins-view.tsx'

/** A page or a tab: its segment of the URL hash, its title, and its view for the segments that follow. A page has an icon. */
type View = readonly [
  name: string,
  title: string,
  view: (path: readonly string[]) => ComponentChild,
  icon?: IconNode,
]

/** The rows of the world. Edits bypass the API: no request, no key and no policy is involved. */
const worldTabs: readonly View[] = [
  ['annotations', 'Annotations', () => <AnnotationsView />],
  ['plugins', 'Plugins', ([id]) => <PluginsView id={id} />],
  ['keys', 'Keys', () => <KeysView />],
  ['others', 'Other data', ([list]) => <OtherLists list={list} />],
]

const controlTabs: readonly View[] = [
  ['state', 'Clock and data', () => <StateCards />],
  ['faults', 'Faults', () => <FaultsView />],
  ['breakpoints', 'Breakpoints', () => <BreakpointsView />],
  ['policies', 'Policies', ([id]) => <PoliciesView open={id} />],
]

const pages: readonly View[] = [
  ['overview', 'Overview', () => <OverviewPage />, House],
  ['requests', 'Requests', ([id]) => <RequestsPage id={id} />, ArrowLeftRight],
  ['world', 'World', (path) => <Tabs label="World data" tabs={worldTabs} path={path} />, Globe],
  [
    'controls',
    'Controls',
    (path) => <Tabs label="Controls" tabs={controlTabs} path={path} />,
    SlidersHorizontal,
  ],
  ['scenarios', 'Scenarios', ([name]) => <ScenariosPage name={name} />, Clapperboard],
  ['reference', 'API reference', (path) => <Reference path={path} />, BookOpen],
]

/** Loaded on demand: most visits do not open it. */
function Reference({ path }: { path: readonly string[] }) {
  const { value, error, reload } = useLoad(() => import('./reference/reference-page.tsx'), [])
  return value ? (
    <value.ReferencePage path={path} />
  ) : (
    <ErrorMessage error={error} reload={reload} />
  )
}

const notFound = <EmptyState title="Page not found." />

/** The frame of all pages, and the page that the URL names. */
export function Layout() {
  const { link, route } = useDashboard()
  const [name = 'overview', ...rest] = route.path
  const [, title = 'Not found', view] = pages.find(([candidate]) => candidate === name) ?? []
  const heading = useRef<HTMLHeadingElement>(null)
  const isFirst = useRef(true)
  // A layout effect: title and focus change in the same frame as the page.
  useLayoutEffect(() => {
    document.title = `${title} – Understudy`
    // Screen readers then announce the page that was navigated to.
    if (!isFirst.current && rest.length === 0) heading.current?.focus()
    isFirst.current = false
  }, [name])
  return (
    <>
      <Button label="Skip to content" class="skip" onClick={() => heading.current?.focus()} />
      <header class="side">
        <a class="brand" href={link()}>
          <Mark /> Understudy
        </a>
        <nav aria-label="Main navigation">
          <ViewLinks views={pages} open={name} toHref={link} />
        </nav>
        <div class="tools">
          <ConnectionStatus />
          <ThemeSelect />
        </div>
      </header>
      <main id="content">
        <div class="bar">
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          <Badges />
          <SandboxSelect />
        </div>
        {view ? view(rest) : notFound}
      </main>
    </>
  )
}

function Tabs(props: { label: string; tabs: readonly View[]; path: readonly string[] }) {
  const { label, tabs, path } = props
  const { link, route } = useDashboard()
  const [page = ''] = route.path
  const [open = tabs[0]?.[0], ...rest] = path
  return (
    <>
      <nav class="tabs" aria-label={label}>
        <ViewLinks views={tabs} open={open} toHref={(name) => link(page, name)} />
      </nav>
      {tabs.find(([name]) => name === open)?.[2](rest) ?? notFound}
    </>
  )
}

function ViewLinks(props: {
  views: readonly View[]
  open: string | undefined
  toHref: (name: string) => string
}) {
  return props.views.map(([name, title, , icon]) => (
    <a key={name} href={props.toHref(name)} aria-current={name === props.open ? 'page' : undefined}>
      {icon && <Icon icon={icon} />}
      <NavigationLabel title={title} />
    </a>
  ))
}

/** On a phone, the first word has to do. */
function NavigationLabel({ title }: { title: string }) {
  const [first, ...rest] = title.split(' ')
  return (
    <span>
      {first}
      {rest.length > 0 && <span class="more-words"> {rest.join(' ')}</span>}
    </span>
  )
}

const connectionLabels = {
  connecting: 'Connecting…',
  live: 'Live',
  lost: 'Disconnected, retrying…',
} as const

function ConnectionStatus() {
  const { state } = useStore(useDashboard().journal)
  return (
    <span class={`connection ${state}`} role="status">
      {connectionLabels[state]}
    </span>
  )
}

function SandboxSelect() {
  const { server, sandbox, route, open } = useDashboard()
  const { replica } = useLiveState().health ?? {}
  const { value = [], reload } = useLoad(() => server.sandboxes.list(), [server, sandbox])
  const ids = value.map(({ id }) => id)
  if (sandbox !== null && !ids.includes(sandbox)) ids.push(sandbox)
  return (
    <Select
      label="World"
      options={[['', replica ? `main of replica ${replica.number}` : 'main'], ...ids]}
      value={sandbox ?? ''}
      onChange={(id) => open(formatHash(route.path.slice(0, 1), id === '' ? null : id))}
      onFocus={reload}
    />
  )
}

const themeOptions = [
  ['system', 'System theme'],
  ['light', 'Light theme'],
  ['dark', 'Dark theme'],
] as const

function ThemeSelect() {
  const [theme, setTheme] = useState(() => readTheme(localStorage))
  const select = (selected: Theme) => {
    saveTheme(selected, document.documentElement, localStorage)
    setTheme(selected)
    dispatchEvent(new Event('themechange'))
  }
  return <Select label="Theme" hideLabel options={themeOptions} value={theme} onChange={select} />
}
