// An island runs in the server, too.
if (import.meta.env.MODE === 'offline' && !import.meta.env.SSR) {
  const { startInBrowser } = await import('understudy-api/browser')
  await startInBrowser({ workerUrl: `${import.meta.env.BASE_URL}mockServiceWorker.js` })
}
