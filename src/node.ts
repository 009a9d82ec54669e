import { replaceKeptFetch } from './integrations/testing/kept-fetch.ts'

export type { NodeRequest } from './adapters/express/node-http.ts'
export { connect } from './admin/connect.ts'
export { type RehearsedClient, rehearse } from './import/scenario-simulator.ts'
export { withSimulator } from './integrations/testing/fixtures.ts'
export { type ReadScenarioOptions, readScenario } from './scenarios/library.ts'
export { type ListenOptions, listen } from './server/listen.ts'
export { createSweptSimulator } from './sweep/swept-run.ts'
export type * from './types.ts'
export { fixtureNames, readWorld } from './world/load/read-world.ts'
export { type FilePersistence, persistInFile } from './world/persistence/persist-in-file.ts'

replaceKeptFetch()
