package web

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// TestPackedFilesAreServedAsTheBrowserTakesThem: Brotli first, then gzip, and unpacked to whoever takes neither.
func TestPackedFilesAreServedAsTheBrowserTakesThem(t *testing.T) {
	zip, err := compress([]byte("plain"), 9)
	if err != nil {
		t.Fatal(err)
	}
	a := &assets{hash: "h", files: map[string]asset{engineFile: {kind: kind(engineFile), zip: zip, packed: []byte("brotli")}}}
	tests := []struct{ accept, coding, body string }{
		{"gzip, deflate, br, zstd", "br", "brotli"},
		{"gzip, br;q=0", "gzip", string(zip)},
		{"", "", "plain"},
	}
	for _, test := range tests {
		r := httptest.NewRequest(http.MethodGet, "/static/h/"+engineFile, nil)
		r.SetPathValue("hash", "h")
		r.SetPathValue("name", engineFile)
		r.Header.Set("Accept-Encoding", test.accept)
		w := httptest.NewRecorder()
		a.ServeHTTP(w, r)
		if got := w.Header(); got.Get("Content-Encoding") != test.coding || w.Body.String() != test.body || got.Get("Content-Type") != "application/wasm" {
			t.Errorf("%q: coding %q, body %q, type %q", test.accept, got.Get("Content-Encoding"), w.Body, got.Get("Content-Type"))
		}
	}
}
