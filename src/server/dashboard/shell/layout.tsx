import type { ComponentChild } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { FaultsView } from '../controls/faults-view.tsx'
import { PoliciesView, ProfilesView } from '../controls/policies-view.tsx'
import { StateCards } from '../controls/state-cards.tsx'
import { useDashboard } from '../kit/context.ts'
import { Button, Select } from '../kit/form.tsx'
import { useLoad, useStore } from '../kit/hooks.ts'
import { type DashboardRoute, formatHash, parseHash } from '../kit/navigation.ts'
import { EmptyState } from '../kit/panels.tsx'
import { RequestsPage } from '../requests/requests-page.tsx'
import { ScenariosPage } from '../scenarios/scenarios-page.tsx'
import { AnnotationsView } from '../world/annotations-view.tsx'
import { OtherLists } from '../world/other-lists.tsx'
import { PluginsView } from '../world/plugins-view.tsx'
import { readTheme, saveTheme, type Theme } from './theme.ts'

export function Layout({ route }: { route: DashboardRoute }) {
  const [name = 'requests', ...rest] = route.path
  const { link } = useDashboard()
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
      <Button class="skip" onClick={() => heading.current?.focus()}>
        Skip to content
      </Button>
      <header class="top">
        <span class="brand">
          <Logo />
          <span>Understudy</span>
        </span>
        <nav aria-label="Main navigation">
          <ViewLinks views={pages} open={name} toHref={link} />
          <a href="docs/">API reference</a>
        </nav>
        <div class="tools">
          <ConnectionStatus />
          <SandboxSelect />
          <ThemeSelect />
        </div>
      </header>
      <main id="content">
        <h1 ref={heading} tabIndex={-1} class="visually-hidden">
          {title}
        </h1>
        {view ? view(rest) : <EmptyState title="Page not found." />}
      </main>
    </>
  )
}

/** The same picture as the icon of the page. */
function Logo() {
  return (
    <svg class="logo" viewBox="0 0 16 16" aria-hidden="true">
      <circle cx="6" cy="8" r="5" />
      <circle cx="10" cy="8" r="5" />
    </svg>
  )
}

const connectionLabels = {
  connecting: 'Connecting…',
  live: 'Live',
  lost: 'Disconnected, retrying…',
} as const

function ConnectionStatus() {
  const { journal } = useDashboard()
  const { state } = useStore(journal)
  return (
    <span class={`connection ${state}`} role="status">
      {connectionLabels[state]}
    </span>
  )
}

function SandboxSelect() {
  const { server, sandbox } = useDashboard()
  const { value = [], reload } = useLoad(() => server.sandboxes.list(), [server, sandbox])
  const ids = value.map(({ id }) => id)
  if (sandbox !== null && !ids.includes(sandbox)) ids.push(sandbox)
  const select = (id: string) => {
    const [page = 'requests'] = parseHash(location.hash).path
    location.hash = formatHash([page], id === '' ? null : id)
  }
  return (
    <Select
      label="World"
      options={[['', 'main'], ...ids]}
      value={sandbox ?? ''}
      onChange={select}
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

/** A page or a tab: its segment of the URL hash, its title, and its view for the segments that follow. */
type View = readonly [
  name: string,
  title: string,
  view: (path: readonly string[]) => ComponentChild,
]

/** The rows of the world. Edits bypass the API: no request, no key and no policy is involved. */
const worldTabs: readonly View[] = [
  ['annotations', 'Annotations', () => <AnnotationsView />],
  ['plugins', 'Plugins', ([id]) => <PluginsView id={id} />],
  ['others', 'Other data', ([list]) => <OtherLists list={list} />],
]

const controlTabs: readonly View[] = [
  ['state', 'Clock and data', () => <StateCards />],
  ['faults', 'Faults', () => <FaultsView />],
  ['policies', 'Policies', ([id]) => <PoliciesView open={id} />],
  ['profiles', 'Profiles', () => <ProfilesView />],
]

const pages: readonly View[] = [
  ['requests', 'Requests', ([id]) => <RequestsPage id={id} />],
  [
    'world',
    'World',
    (path) => <Tabs page="world" label="World data" tabs={worldTabs} path={path} />,
  ],
  [
    'controls',
    'Controls',
    (path) => <Tabs page="controls" label="Controls" tabs={controlTabs} path={path} />,
  ],
  ['scenarios', 'Scenarios', ([name]) => <ScenariosPage name={name} />],
]

function Tabs(props: {
  page: string
  label: string
  tabs: readonly View[]
  path: readonly string[]
}) {
  const { page, label, tabs, path } = props
  const { link } = useDashboard()
  const [open = tabs[0]?.[0], ...rest] = path
  return (
    <>
      <nav class="tabs" aria-label={label}>
        <ViewLinks views={tabs} open={open} toHref={(name) => link(page, name)} />
      </nav>
      {tabs.find(([name]) => name === open)?.[2](rest)}
    </>
  )
}

function ViewLinks(props: {
  views: readonly View[]
  open: string | undefined
  toHref: (name: string) => string
}) {
  return props.views.map(([name, title]) => (
    <a key={name} href={props.toHref(name)} aria-current={name === props.open ? 'page' : undefined}>
      {title}
    </a>
  ))
}
