import { asset } from '$app/paths'

export async function init() {
  if (import.meta.env.MODE === 'offline') {
    const { startInBrowser } = await import('understudy-api/browser')
    await startInBrowser({ workerUrl: asset('/mockServiceWorker.js') })
  }
}
