// What a page loads in one chunk when it starts the simulator. A page that only imports `startInBrowser` loads none of it.
export { createSimulator } from '../../simulator/simulator.ts'
export { isBuiltInWorld } from '../../world/load/built-in-worlds.ts'
export { completeWorld } from '../../world/load/complete-world.ts'
export { followAborts } from './follow-aborts.ts'
export { logMistakes, logRequests } from './log-requests.ts'
export { offerPanel } from './offer-panel.ts'
export { persistWorld } from './persist-world.ts'
export { startWorker } from './start-worker.ts'
