package main

import (
	"fmt"
	"runtime/debug"
)

// version is set by the release build; other builds say where they come from.
var version = ""

// versionCommand prints the version.
type versionCommand struct{}

// Run carries the subcommand out.
func (versionCommand) Run(streams *Streams) error {
	fmt.Fprintln(streams.Out, "loa", versionText())
	return nil
}

// versionText returns the release's version, or the revision the binary was built from.
func versionText() string {
	if version != "" {
		return version
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	text := info.Main.Version
	for _, setting := range info.Settings {
		switch {
		case setting.Key == "vcs.revision" && len(setting.Value) >= 12:
			text += " " + setting.Value[:12]
		case setting.Key == "vcs.modified" && setting.Value == "true":
			text += " modified"
		}
	}
	return text
}
