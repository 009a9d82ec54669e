import { actorEndpoints } from './actors.ts'
import { clockEndpoints } from './clock.ts'
import type { ControlEndpoints } from './control-endpoint.ts'
import { faultEndpoints } from './faults.ts'
import { journalEndpoints } from './journal.ts'
import { keyEndpoints } from './keys.ts'
import { policyEndpoints } from './policies.ts'
import { provenanceEndpoints } from './provenance.ts'
import { replayEndpoints } from './replay.ts'
import { rowEndpoints } from './rows.ts'
import { sandboxEndpoints } from './sandboxes.ts'
import { scenarioEndpoints } from './scenarios.ts'
import { serverInfoEndpoints } from './server-info.ts'
import { snapshotEndpoints } from './snapshots.ts'
import { worldEndpoints } from './world.ts'

/** Every operation of the control API, in the order of its documents. */
export const allControlEndpoints: ControlEndpoints = [
  ...serverInfoEndpoints,
  ...worldEndpoints,
  ...rowEndpoints,
  ...sandboxEndpoints,
  ...snapshotEndpoints,
  ...clockEndpoints,
  ...keyEndpoints,
  ...policyEndpoints,
  ...faultEndpoints,
  ...actorEndpoints,
  ...journalEndpoints,
  ...provenanceEndpoints,
  ...replayEndpoints,
  ...scenarioEndpoints,
]
