import { Tabs } from '../kit/tabs.tsx'
import { FaultsView } from './faults-view.tsx'
import { PoliciesView } from './policies-view.tsx'
import { ProfilesView } from './profiles-view.tsx'
import { StateView } from './state-view.tsx'

const controlTabs = [
  ['state', 'State'],
  ['faults', 'Faults'],
  ['policies', 'Policies'],
  ['profiles', 'Profiles'],
] as const

/** What can be turned while a client is at work. */
export function ControlsPage({ path }: { path: readonly string[] }) {
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
