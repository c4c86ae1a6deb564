document.title = 'Drover'
