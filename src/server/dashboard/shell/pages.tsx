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

export interface DashboardPage {
  /** The first segment of the URL hash. */
  readonly name: string
  readonly title: string
  /** @param path the remaining segments of the URL hash */
  readonly View: (props: { path: readonly string[] }) => ComponentChild
}

/** The pages in the order of the navigation. */
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
  ['others', 'Other data'],
] as const

/** The rows of the world. Edits bypass the API: no request, no key and no policy is involved. */
function WorldPage({ path }: { path: readonly string[] }) {
  const [tab = 'annotations', id] = path
  return (
    <>
      <Tabs label="World data" page="world" tabs={worldTabs} current={tab} />
      {tab === 'annotations' && <AnnotationsView />}
      {tab === 'plugins' && <PluginsView id={id} />}
      {tab === 'others' && <OtherLists list={id} />}
    </>
  )
}

const controlTabs = [
  ['state', 'Clock and data'],
  ['faults', 'Faults'],
  ['policies', 'Policies'],
  ['profiles', 'Profiles'],
] as const

/** The settings that can be changed while a client is running. */
function ControlsPage({ path }: { path: readonly string[] }) {
  const [tab = 'state', id] = path
  return (
    <>
      <Tabs label="Controls" page="controls" tabs={controlTabs} current={tab} />
      {tab === 'state' && (
        <div class="cards">
          <ClockCard />
          <ResetCard />
          <SnapshotsCard />
          <SandboxesCard />
        </div>
      )}
      {tab === 'faults' && <FaultsView />}
      {tab === 'policies' && <PoliciesView open={id} />}
      {tab === 'profiles' && <ProfilesView />}
    </>
  )
}
