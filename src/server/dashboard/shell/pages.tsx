import type { ComponentChild } from 'preact'
import { ClockCard } from '../controls/clock-card.tsx'
import { FaultsView } from '../controls/faults-view.tsx'
import { PoliciesView } from '../controls/policies-view.tsx'
import { ProfilesView } from '../controls/profiles-view.tsx'
import { ResetCard, SnapshotsCard } from '../controls/reset-and-snapshots.tsx'
import { SandboxesCard } from '../controls/sandboxes-card.tsx'
import { useDashboard } from '../kit/context.ts'
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

/** A part of a page with its own URL. It renders the rows or settings that the last segment of the hash opens. */
type Tab = readonly [name: string, title: string, view: (id: string | undefined) => ComponentChild]

/** The rows of the world. Edits bypass the API: no request, no key and no policy is involved. */
const worldTabs: readonly Tab[] = [
  ['annotations', 'Annotations', () => <AnnotationsView />],
  ['plugins', 'Plugins', (id) => <PluginsView id={id} />],
  ['others', 'Other data', (list) => <OtherLists list={list} />],
]

/** The settings that can be changed while a client is running. */
const controlTabs: readonly Tab[] = [
  [
    'state',
    'Clock and data',
    () => (
      <div class="cards">
        <ClockCard />
        <ResetCard />
        <SnapshotsCard />
        <SandboxesCard />
      </div>
    ),
  ],
  ['faults', 'Faults', () => <FaultsView />],
  ['policies', 'Policies', (id) => <PoliciesView open={id} />],
  ['profiles', 'Profiles', () => <ProfilesView />],
]

/** The pages in the order of the navigation. */
export const pages: readonly DashboardPage[] = [
  { name: 'requests', title: 'Requests', View: ({ path: [id] }) => <RequestsPage id={id} /> },
  { name: 'world', title: 'World', View: tabbedPage('world', 'World data', worldTabs) },
  { name: 'controls', title: 'Controls', View: tabbedPage('controls', 'Controls', controlTabs) },
  {
    name: 'scenarios',
    title: 'Scenarios',
    View: ({ path: [name] }) => <ScenariosPage name={name} />,
  },
]

/** Creates a page of tabs. The first one is open by default. */
function tabbedPage(page: string, label: string, tabs: readonly Tab[]): DashboardPage['View'] {
  return ({ path: [open = tabs[0]?.[0], id] }) => {
    const { link } = useDashboard()
    return (
      <>
        <nav class="tabs" aria-label={label}>
          {tabs.map(([name, title]) => (
            <a key={name} href={link(page, name)} aria-current={name === open ? 'page' : undefined}>
              {title}
            </a>
          ))}
        </nav>
        {tabs.find(([name]) => name === open)?.[2](id)}
      </>
    )
  }
}
