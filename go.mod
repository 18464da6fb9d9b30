module github.com/linesofaction/loa

go 1.26.0

require (
	github.com/coder/websocket v1.8.15 // indirect
	github.com/nicksnyder/go-i18n/v2 v2.7.0 // indirect
	golang.org/x/text v0.44.0 // indirect
	golang.org/x/time v0.16.0 // indirect
)
