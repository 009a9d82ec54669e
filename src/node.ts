export { type ListenOptions, listen, type RunningServer } from './server.ts'
