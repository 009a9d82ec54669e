// The only file that imports prom-client. The build bundles it into this one file.
export { Counter, Gauge, Histogram, Registry } from 'prom-client'
