/** The lines of the icon, in a square of 32, the ones behind first. */
export const markLines: readonly string[] = [
  'M13.5 7.5v8.5a5 5 0 0 0 10 0v-8.5',
  'M8.5 12v8a5 5 0 0 0 10 0v-8',
]
