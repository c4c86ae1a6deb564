import { startApp } from '../shared/start-app.tsx'
import { TrackingPage } from './tracking-page.tsx'
import './track.css'

const [, , token = ''] = location.pathname.split('/')
startApp(<TrackingPage token={decodeURIComponent(token)} />)
