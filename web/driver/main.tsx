import { startApp } from '../shared/start-app.tsx'
import { DriverApp } from './driver-app.tsx'
import { keepOnPhone } from './keep-on-phone.ts'
import './driver.css'

startApp(<DriverApp />)
void keepOnPhone()
