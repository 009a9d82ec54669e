import { startInBrowser } from 'understudy-api/browser'

export const start = (): Promise<unknown> => startInBrowser({ panel: true })
