import { HttpResponse, http } from 'msw'

/** A module for `--handlers`. */
export default [
  http.get('*/api/flags/', () => HttpResponse.json(['beta'])),
  http.get('*/api/projects/', () => HttpResponse.json({ mine: true })),
  http.get('*/api/broken/', () => {
    throw new Error('My bug')
  }),
]
