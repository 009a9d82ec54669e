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
import { useLayoutEffect, useRef } from 'preact/hooks'
import { FaultsView } from '../controls/faults-view.tsx'
import { PoliciesView } from '../controls/policies-view.tsx'
import { StateCards } from '../controls/state-cards.tsx'
import { useDashboard } from '../kit/context.ts'
import { Button } from '../kit/fields.tsx'
import { Icon, Mark } from '../kit/icon.tsx'
import type { DashboardRoute } from '../kit/navigation.ts'
import { EmptyState } from '../kit/panels.tsx'
import { OverviewPage } from '../overview/overview-page.tsx'
import { RequestsPage } from '../requests/requests-page.tsx'
import { ScenariosPage } from '../scenarios/scenarios-page.tsx'
import { AnnotationsView } from '../world/annotations-view.tsx'
import { KeysView } from '../world/keys-view.tsx'
import { OtherLists } from '../world/other-lists.tsx'
import { PluginsView } from '../world/plugins-view.tsx'
import { Badges, ConnectionStatus, SandboxSelect, ThemeSelect } from './status.tsx'

export function Layout({ route }: { route: DashboardRoute }) {
  const [name = 'overview', ...rest] = route.path
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
      <header class="side">
        <a class="brand" href={link()}>
          <Mark /> Understudy
        </a>
        <nav aria-label="Main navigation">
          <ViewLinks views={pages} open={name} toHref={link} />
          <a href="docs/">
            <Icon icon={BookOpen} />
            <span>
              API<span class="wide-only"> reference</span>
            </span>
          </a>
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

const notFound = <EmptyState title="Page not found." />

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
  ['policies', 'Policies', ([id]) => <PoliciesView open={id} />],
]

const pages: readonly View[] = [
  ['overview', 'Overview', () => <OverviewPage />, House],
  ['requests', 'Requests', ([id]) => <RequestsPage id={id} />, ArrowLeftRight],
  [
    'world',
    'World',
    (path) => <Tabs page="world" label="World data" tabs={worldTabs} path={path} />,
    Globe,
  ],
  [
    'controls',
    'Controls',
    (path) => <Tabs page="controls" label="Controls" tabs={controlTabs} path={path} />,
    SlidersHorizontal,
  ],
  ['scenarios', 'Scenarios', ([name]) => <ScenariosPage name={name} />, Clapperboard],
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
      {title}
    </a>
  ))
}
