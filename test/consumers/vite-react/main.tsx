import { createRoot } from 'react-dom/client'
import { Annotations } from './annotations.tsx'

if (import.meta.env.MODE === 'offline') {
  const { startInBrowser } = await import('understudy-api/browser')
  const { simulator } = await startInBrowser({ world: 'default', panel: true })
  Object.assign(window, { simulator }) // in the console: simulator.faults.add({ preset: 'slow-3g' })
}
createRoot(document.getElementById('root') as HTMLElement).render(<Annotations />)
