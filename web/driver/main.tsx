import { startApp } from '../shared/start-app.tsx'
import { DriverApp } from './driver-app.tsx'
import './driver.css'

startApp(<DriverApp />)
// The app starts without signal from what its worker kept.
navigator.serviceWorker?.register('/driver/sw.js', { scope: '/driver' })
