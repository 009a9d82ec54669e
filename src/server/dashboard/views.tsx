import { ArrowLeftRight, Globe, type IconNode, SlidersHorizontal } from 'lucide'
import type { ComponentChild } from 'preact'
import { FaultsView } from './controls/faults-view.tsx'
import { PoliciesView } from './controls/policies-view.tsx'
import { StateCards } from './controls/state-cards.tsx'
import { formatHash, maxSandboxes, useDashboard } from './kit/context.ts'
import { Select } from './kit/fields.tsx'
import { Icon } from './kit/inline.tsx'
import { EmptyState } from './kit/panels.tsx'
import { useLoad } from './kit/store.ts'
import { RequestsPage } from './requests/requests-page.tsx'
import { AnnotationsView } from './world/annotations-view.tsx'
import { KeysView } from './world/keys-view.tsx'
import { OtherLists } from './world/other-lists.tsx'
import { PluginsView } from './world/plugins-view.tsx'

/** A page or a tab: its segment of the URL hash, its title, and its view for the segments that follow. A page has an icon. */
export type View = readonly [
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

/** The pages that the dashboard of a server and the panel of a page have in common. */
export const sharedPages: readonly View[] = [
  ['requests', 'Requests', ([id]) => <RequestsPage id={id} />, ArrowLeftRight],
  ['world', 'World', (path) => <Tabs label="World data" tabs={worldTabs} path={path} />, Globe],
  [
    'controls',
    'Controls',
    (path) => <Tabs label="Controls" tabs={controlTabs} path={path} />,
    SlidersHorizontal,
  ],
]

export function NotFound() {
  const { link } = useDashboard()
  return (
    <EmptyState title="Page not found.">
      <a href={link()}>Go to the first page</a>
    </EmptyState>
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
      {tabs.find(([name]) => name === open)?.[2](rest) ?? <NotFound />}
    </>
  )
}

export function ViewLinks(props: {
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

export function SandboxSelect() {
  const { server, sandbox, route, open } = useDashboard()
  const { value = [], reload } = useLoad(() => server.sandboxes.list(), [server, sandbox])
  const ids = value.slice(0, maxSandboxes).map(({ id }) => id)
  if (sandbox !== null && !ids.includes(sandbox)) ids.push(sandbox)
  return (
    <Select
      label="World"
      options={[['', 'main'], ...ids]}
      value={sandbox ?? ''}
      onChange={(id) => open(formatHash(route.path.slice(0, 1), id === '' ? null : id))}
      onFocus={reload}
    />
  )
}
