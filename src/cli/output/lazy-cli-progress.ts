/** In a file of its own, so that only who shows a bar loads it. */
export { Presets, SingleBar } from 'cli-progress'
