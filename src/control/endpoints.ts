import type { Endpoint } from '../http/endpoint.ts'
import { addActor } from './add-actor.ts'
import { addFaults } from './add-faults.ts'
import { addGenerated } from './add-generated.ts'
import { addRows } from './add-rows.ts'
import { advanceClock } from './advance-clock.ts'
import { clearActors } from './clear-actors.ts'
import { clearFaults } from './clear-faults.ts'
import { clearJournal } from './clear-journal.ts'
import { createSandbox } from './create-sandbox.ts'
import { createSnapshot } from './create-snapshot.ts'
import { deleteRow } from './delete-row.ts'
import { deleteSandbox } from './delete-sandbox.ts'
import { deleteSnapshot } from './delete-snapshot.ts'
import { explainRow } from './explain-row.ts'
import { exportHar } from './export-har.ts'
import { followJournal } from './follow-journal.ts'
import { readHealth } from './health.ts'
import { importSnapshot } from './import-snapshot.ts'
import { issueKey } from './issue-key.ts'
import { listActors } from './list-actors.ts'
import { listFaults } from './list-faults.ts'
import { listJournal } from './list-journal.ts'
import { listKeys } from './list-keys.ts'
import { listPolicies } from './list-policies.ts'
import { listRows } from './list-rows.ts'
import { listSandboxes } from './list-sandboxes.ts'
import { listScenarios } from './list-scenarios.ts'
import { listSnapshots } from './list-snapshots.ts'
import { listWords } from './list-words.ts'
import { readClock } from './read-clock.ts'
import { readOpenapi } from './read-openapi.ts'
import { readReplay } from './read-replay.ts'
import { readTimeline } from './read-timeline.ts'
import { readWorld } from './read-world.ts'
import { recordJournal } from './record-journal.ts'
import { removeActor } from './remove-actor.ts'
import { removeFault } from './remove-fault.ts'
import { replaceWorld } from './replace-world.ts'
import { replayScenario } from './replay-scenario.ts'
import { resetWorld } from './reset.ts'
import { restoreSnapshot } from './restore-snapshot.ts'
import { retrieveJournalEntry } from './retrieve-journal-entry.ts'
import { retrieveRow } from './retrieve-row.ts'
import { retrieveSandbox } from './retrieve-sandbox.ts'
import { retrieveScenario } from './retrieve-scenario.ts'
import { retrieveSnapshot } from './retrieve-snapshot.ts'
import { revokeKey } from './revoke-key.ts'
import { rewindReplay } from './rewind-replay.ts'
import { setClock } from './set-clock.ts'
import { setPolicies } from './set-policies.ts'
import { updateRow } from './update-row.ts'
import { verifyRequests } from './verify-requests.ts'
import type { ControlContext } from './world.ts'

/** Every endpoint of the control API, in the order of its documents. */
export const allControlEndpoints: readonly Endpoint<ControlContext>[] = [
  readHealth,
  readOpenapi,
  readWorld,
  replaceWorld,
  addRows,
  listRows,
  retrieveRow,
  updateRow,
  deleteRow,
  addGenerated,
  readTimeline,
  resetWorld,
  listSandboxes,
  createSandbox,
  retrieveSandbox,
  deleteSandbox,
  listSnapshots,
  createSnapshot,
  retrieveSnapshot,
  importSnapshot,
  deleteSnapshot,
  restoreSnapshot,
  readClock,
  setClock,
  advanceClock,
  listKeys,
  issueKey,
  revokeKey,
  listPolicies,
  setPolicies,
  listFaults,
  addFaults,
  clearFaults,
  removeFault,
  listActors,
  addActor,
  clearActors,
  removeActor,
  listJournal,
  clearJournal,
  retrieveJournalEntry,
  exportHar,
  followJournal,
  verifyRequests,
  recordJournal,
  explainRow,
  readReplay,
  rewindReplay,
  listScenarios,
  retrieveScenario,
  replayScenario,
  listWords,
]
