import { createRoot } from 'react-dom/client'
import { Annotations } from './annotations.tsx'

// vite --mode offline: what is built in another mode has nothing of it.
if (import.meta.env.MODE === 'offline') {
  const { startInBrowser } = await import('understudy-api/browser')
  const { simulator } = await startInBrowser({ world: 'default', persist: 'tab' })
  // Who wants to arrange, disturb or look says in the console: (await simulator()).faults.add({ preset: 'slow-3g' })
  Object.assign(window, { simulator })
}
createRoot(document.getElementById('root') as HTMLElement).render(<Annotations />)
