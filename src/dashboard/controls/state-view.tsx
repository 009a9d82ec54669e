import { ClockCard } from './clock-card.tsx'
import { ResetCard } from './reset-card.tsx'
import { SandboxesCard } from './sandboxes-card.tsx'
import { SnapshotsCard } from './snapshots-card.tsx'

/** The time, and the states of the world that can be gone back to or stood apart. */
export function StateView() {
  return (
    <div class="cards">
      <ClockCard />
      <ResetCard />
      <SnapshotsCard />
      <SandboxesCard />
    </div>
  )
}
