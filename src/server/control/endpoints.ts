import type { Endpoint } from '../../http/endpoint.ts'
import { addActor, clearActors, listActors, removeActor } from './actors.ts'
import { advanceClock, readClock, setClock } from './clock.ts'
import type { ControlContext } from './control-endpoint.ts'
import { addFaults, clearFaults, listFaults, removeFault } from './faults.ts'
import {
  clearJournal,
  exportHar,
  followJournal,
  listJournal,
  recordJournal,
  retrieveJournalEntry,
  verifyRequests,
} from './journal.ts'
import { issueKey, listKeys, revokeKey } from './keys.ts'
import { listPolicies, setPolicies } from './policies.ts'
import { explainRow } from './provenance.ts'
import { readReplay, rewindReplay } from './replay.ts'
import { deleteRow, listRows, readTimeline, retrieveRow, updateRow } from './rows.ts'
import { createSandbox, deleteSandbox, listSandboxes, retrieveSandbox } from './sandboxes.ts'
import { listScenarios, replayScenario, retrieveScenario } from './scenarios.ts'
import { listWords, readHealth, readOpenapi } from './server-info.ts'
import {
  createSnapshot,
  deleteSnapshot,
  importSnapshot,
  listSnapshots,
  restoreSnapshot,
  retrieveSnapshot,
} from './snapshots.ts'
import { addGenerated, addRows, readWorld, replaceWorld, resetWorld } from './world.ts'

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
