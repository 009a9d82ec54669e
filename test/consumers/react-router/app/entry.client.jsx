import { startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { HydratedRouter } from 'react-router/dom'

// npx react-router dev --mode offline
if (import.meta.env.MODE === 'offline') {
  const { startInBrowser } = await import('understudy-api/browser')
  await startInBrowser()
}
startTransition(() => hydrateRoot(document, <HydratedRouter />))
