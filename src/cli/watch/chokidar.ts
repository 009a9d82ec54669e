/** In a file of its own, so that only who watches loads it. */
export { watch } from 'chokidar'
