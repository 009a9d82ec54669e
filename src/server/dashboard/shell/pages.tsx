import { type ComponentChild, h } from 'preact'
import { ClockCard } from '../controls/clock-card.tsx'
import { FaultsView } from '../controls/faults-view.tsx'
import { PoliciesView } from '../controls/policies-view.tsx'
import { ProfilesView } from '../controls/profiles-view.tsx'
import { ResetCard, SnapshotsCard } from '../controls/reset-and-snapshots.tsx'
import { SandboxesCard } from '../controls/sandboxes-card.tsx'
import { Tabs } from '../kit/navigation.tsx'
import { RequestsPage } from '../requests/requests-page.tsx'
import { ScenariosPage } from '../scenarios/scenarios-page.tsx'
import { AnnotationsView } from '../world/annotations-view.tsx'
import { OtherLists } from '../world/other-lists.tsx'
import { PluginsView } from '../world/plugins-view.tsx'

/** A page of the dashboard. */
export interface DashboardPage {
  /** Its word in the address. */
  readonly name: string
  readonly title: string
  /** @param path what stands behind its word in the address */
  readonly View: (props: { path: readonly string[] }) => ComponentChild
}

/** Every page, in the order of the navigation. */
export const pages: readonly DashboardPage[] = [
  { name: 'requests', title: 'Requests', View: ({ path: [id] }) => h(RequestsPage, { id }) },
  { name: 'world', title: 'World', View: WorldPage },
  { name: 'controls', title: 'Controls', View: ControlsPage },
  {
    name: 'scenarios',
    title: 'Scenarios',
    View: ({ path: [name] }) => h(ScenariosPage, { name }),
  },
]

const worldTabs = [
  ['annotations', 'Annotations'],
  ['plugins', 'Plugins'],
  ['others', 'Other lists'],
] as const

/** The rows of the world: looked at and edited directly, without a request, a key or a policy. */
function WorldPage({ path }: { path: readonly string[] }) {
  const [part = 'annotations', id] = path
  return (
    <>
      <Tabs label="Lists of the world" page="world" tabs={worldTabs} current={part} />
      {part === 'annotations' && <AnnotationsView />}
      {part === 'plugins' && <PluginsView id={id} />}
      {part === 'others' && <OtherLists list={id} />}
    </>
  )
}

const controlTabs = [
  ['state', 'State'],
  ['faults', 'Faults'],
  ['policies', 'Policies'],
  ['profiles', 'Profiles'],
] as const

/** What can be turned while a client is at work. */
function ControlsPage({ path }: { path: readonly string[] }) {
  const [part = 'state', id] = path
  return (
    <>
      <Tabs label="Controls" page="controls" tabs={controlTabs} current={part} />
      {part === 'state' && <StateView />}
      {part === 'faults' && <FaultsView />}
      {part === 'policies' && <PoliciesView open={id} />}
      {part === 'profiles' && <ProfilesView />}
    </>
  )
}

/** The time, and the states of the world that can be gone back to or stood apart. */
function StateView() {
  return (
    <div class="cards">
      <ClockCard />
      <ResetCard />
      <SnapshotsCard />
      <SandboxesCard />
    </div>
  )
}
