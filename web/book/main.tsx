import { startApp } from '../shared/start-app.tsx'
import { BookingPage } from './booking-page.tsx'
import './book.css'

const [, , token = ''] = location.pathname.split('/')
startApp(<BookingPage token={decodeURIComponent(token)} />)
