export { fixtureNames, readWorld } from './read-world.ts'
export { type ListenOptions, listen, type RunningServer } from './server.ts'
