// In JavaScript: the pages of the dashboard have a configuration of TypeScript of their own. panel.d.ts has the types.
export { mountPanel } from './panel/panel.tsx'
