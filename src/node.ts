export { type KeptInFile, persistInFile } from './persistence/persist-in-file.ts'
export { readScenario } from './read-scenario.ts'
export { fixtureNames, readWorld } from './read-world.ts'
export { type ListenOptions, listen, type RunningServer } from './server.ts'
